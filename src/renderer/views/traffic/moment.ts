// When an exchange arrived, by the sandbox clock in local time.

const two = (value: number) => String(value).padStart(2, '0');

/** The time of day in two parts, so that a narrow list can leave the second out: `10:02:40` `.123`. */
export function momentOf(at: string): readonly [time: string, milliseconds: string] {
  const date = new Date(at);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return [time, `.${String(date.getMilliseconds()).padStart(3, '0')}`];
}
