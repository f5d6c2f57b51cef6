// The options of curl, as far as reading a command needs them: which letter stands for which name,
// which of them take a value, and which do not touch the request.

export const LONG_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    '0 http1.0,1 tlsv1,2 sslv2,3 sslv3,4 ipv4,6 ipv6,: next,# progress-bar,a append,A user-agent,' +
    'b cookie,B use-ascii,c cookie-jar,C continue-at,d data,D dump-header,e referer,E cert,f fail,' +
    'F form,g globoff,G get,h help,H header,i include,I head,j junk-session-cookies,J remote-header-name,' +
    'k insecure,K config,l list-only,L location,m max-time,M manual,n netrc,N no-buffer,o output,' +
    'O remote-name,p proxytunnel,P ftp-port,q disable,Q quote,r range,R remote-time,s silent,' +
    'S show-error,t telnet-option,T upload-file,u user,U proxy-user,v verbose,V version,w write-out,' +
    'x proxy,X request,y speed-time,Y speed-limit,z time-cond,Z parallel'
  )
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
);

const WITH_VALUE = new Set(
  (
    'abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout ' +
    'connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii ' +
    'data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr ' +
    'dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save expect100-timeout form ' +
    'form-string ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode ' +
    'happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts interface ip-tos ' +
    'ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port ' +
    'login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy ' +
    'oauth2-bearer output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default ' +
    'proto-redir proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers ' +
    'proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey ' +
    'proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser ' +
    'proxy-user proxy1.0 pubkey quote random-file range rate referer request request-target resolve ' +
    'retry retry-delay retry-max-time sasl-authzid service-name sigalgs socks4 socks4a socks5 ' +
    'socks5-gssapi-service socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize ' +
    'time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config ' +
    'unix-socket upload-file url url-query user user-agent variable vlan-priority write-out'
  ).split(' '),
);

/** They say how curl runs and what it shows, and change nothing of the request. */
const SILENT = new Set(
  (
    'compressed connect-timeout create-dirs dump-header fail fail-early fail-with-body globoff http1.1 ' +
    'include insecure ipv4 ipv6 keepalive-time max-time no-buffer no-keepalive no-progress-meter output ' +
    'parallel path-as-is progress-bar remote-name retry retry-all-errors retry-connrefused ' +
    'retry-delay retry-max-time show-error silent stderr tcp-nodelay tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 ' +
    'tlsv1.3 trace trace-ascii trace-time verbose write-out'
  ).split(' '),
);

export const takesValue = (name: string): boolean => WITH_VALUE.has(name);
export const isSilent = (name: string): boolean => SILENT.has(name);
