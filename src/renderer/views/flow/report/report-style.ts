// The report's style sheet: the page's own colours, dark and light as the reader's system has it, and
// light on paper. Nothing in it is fetched.

/** The declarations of the first rule whose selector holds these words. */
function declarations(css: string, selector: string): string {
  const start = css.indexOf('{', css.indexOf(selector)) + 1;
  return css.slice(start, css.indexOf('}', start)).trim();
}

const LAYOUT = `
*{box-sizing:border-box;font-variant-ligatures:none}
body{margin:0;background:var(--bg);color:var(--text);font:14px/1.5 var(--font)}
header,main,footer{max-width:960px;margin:0 auto;padding:24px}
header{padding-bottom:0}
h1{margin:0 0 4px;font-size:22px;letter-spacing:-.01em}
h2{margin:32px 0 12px;font-size:16px}
h3{margin:0;font:600 13px/1.5 var(--mono);overflow-wrap:anywhere}
h4{margin:16px 0 6px;color:var(--muted);font-size:12px;font-weight:550}
p{margin:0 0 8px}
code,pre,.mono{font-family:var(--mono);font-size:12px}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:12px 0 0;font-size:13px}
dl.facts dt{color:var(--muted)}
dl.facts dd{margin:0;overflow-wrap:anywhere}
.muted{color:var(--muted)}
.tag{display:inline-block;padding:1px 6px;border-radius:4px;font:500 12px/1.5 var(--mono);background:var(--raised);color:var(--muted)}
.tag[data-tone=ok]{background:var(--ok-soft);color:var(--ok)}
.tag[data-tone=warn]{background:var(--warn-soft);color:var(--warn)}
.tag[data-tone=bad]{background:var(--bad-soft);color:var(--bad)}
table{width:100%;border-collapse:collapse;font-size:13px}
th{text-align:left;color:var(--muted);font-weight:550}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
figure{margin:0;padding:12px;border:1px solid var(--line);border-radius:8px;background:var(--surface)}
.diagram{display:block;width:100%;height:auto}
.lanes{fill:none;stroke:var(--line-strong);stroke-dasharray:2 4}
.head{fill:var(--surface);stroke:var(--line-strong)}
.head-text{fill:var(--text);font:600 12px var(--font);text-anchor:middle}
.time{fill:var(--muted);font:11px var(--mono)}
.label{fill:var(--text);font-family:var(--font);text-anchor:middle;paint-order:stroke;stroke:var(--surface);stroke-width:4px;stroke-linejoin:round}
.veil{fill:var(--surface)}
.box{fill:var(--bad-soft);stroke:color-mix(in srgb,var(--bad) 40%,transparent)}
.box[data-tone=warn]{fill:var(--warn-soft);stroke:color-mix(in srgb,var(--warn) 40%,transparent)}
.box~.label{stroke:none}
.arrow{fill:none;stroke:var(--muted);stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round}
.dashed{stroke-dasharray:5 3}
.arrow[data-tone=text]{stroke:var(--text)}
.arrow[data-tone=ok]{stroke:var(--ok)}
.arrow[data-tone=warn]{stroke:var(--warn)}
.arrow[data-tone=bad]{stroke:var(--bad)}
.label[data-tone=muted]{fill:var(--muted)}
.label[data-tone=ok]{fill:var(--ok)}
.label[data-tone=warn]{fill:var(--warn)}
.label[data-tone=bad]{fill:var(--bad)}
article{margin:0 0 16px;padding:16px;border:1px solid var(--line);border-radius:8px;background:var(--surface)}
article>header{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline;max-width:none;margin:0 0 8px;padding:0}
.cause{margin:8px 0;padding:10px 14px;border:1px solid color-mix(in srgb,var(--bad) 40%,transparent);border-radius:8px;background:var(--bad-soft)}
.cause[data-tone=warn]{border-color:color-mix(in srgb,var(--warn) 40%,transparent);background:var(--warn-soft)}
.cause p:last-child{margin:0}
.verdict[data-came=yes] b{color:var(--ok)}
.verdict[data-came=no] b{color:var(--bad)}
ol.trace{margin:0;padding:0;list-style:none;font-size:13px}
ol.trace li{display:grid;grid-template-columns:84px 1fr max-content;gap:0 12px;padding:5px 0;border-top:1px solid var(--line)}
ol.trace li:first-child{border:0}
ol.trace .word{color:var(--ok)}
ol.trace li[data-verdict=failed] .word{color:var(--bad);font-weight:600}
ol.trace li[data-verdict=not_reached],ol.trace li[data-verdict=not_reached] .word{color:var(--faint)}
ol.trace .section{color:var(--faint);font:11px/1.8 var(--mono)}
ol.trace .compared{grid-column:2/4;color:var(--muted);font:12px/1.6 var(--mono);overflow-wrap:anywhere}
ul.notes,ul.differences{margin:8px 0;padding-left:18px}
pre{margin:0;padding:10px 12px;border:1px solid var(--line);border-radius:6px;background:var(--bg);white-space:pre-wrap;overflow-wrap:anywhere}
footer{color:var(--muted);font-size:12px}
a{color:var(--accent)}
@media (max-width:600px){ol.trace li{grid-template-columns:84px 1fr}ol.trace .section{grid-column:2}}
@media print{body{font-size:11px}article,figure{break-inside:avoid}}
`;

/** @param themeCss the text of theme.css */
export function reportStyle(themeCss: string): string {
  const sizes = declarations(themeCss, ':root {');
  const fonts = sizes
    .split(';')
    .filter((one) => /--(font|mono):/.test(one))
    .join(';');
  const dark = declarations(themeCss, "[data-mantine-color-scheme='dark']");
  const light = declarations(themeCss, "[data-mantine-color-scheme='light']");
  return `:root{${fonts};${light}}\n@media screen and (prefers-color-scheme:dark){:root{${dark}}}${LAYOUT}`;
}
