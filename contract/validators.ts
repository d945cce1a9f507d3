// The shared validators of the specification (shell, section 5): one list for the forms of the console and the server's checks.
// Words at `validator.<name>`, with {min} and {max} filled in.
import { cronFault } from './cron.ts'

/** Whole numbers without sign (unless the range has negative ones), decimals or leading zero: [least, most]. */
export const ranges = {
  'int-31536000000': [1, 31_536_000_000],
  'int-31536000': [1, 31_536_000],
  '1-255': [1, 255],
  int32: [-2_147_483_648, 2_147_483_647],
  int16: [-32_768, 32_767],
  /** At most 15 digits, either sign; every one of them is exact as a JSON number. */
  digits15: [-999_999_999_999_999, 999_999_999_999_999],
  uint32: [0, 4_294_967_295],
  uint16: [0, 65_535],
  uint8: [0, 255],
  port: [1, 65_535],
} as const satisfies Record<string, readonly [number, number]>
export type Range = keyof typeof ranges

/** The four octets of a dotted address; leading zeros are refused, since some systems read them as octal. */
const octets = (text: string): number[] | undefined => {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((p) => /^(0|[1-9]\d{0,2})$/.test(p) && Number(p) <= 255) ? parts.map(Number) : undefined
}

/** An address that one machine may have: no "this network" (0/8), multicast, reserved or broadcast address (RFC 1122, 3.2.1.3). */
const isUnicast = (text: string): boolean => {
  const first = octets(text)?.[0]
  return first !== undefined && first > 0 && first < 224
}

/** Ones followed by zeros, /1 to /32 (RFC 4632, 5.1). */
const isMask = (text: string): boolean => {
  const bits = octets(text)
    ?.map((o) => o.toString(2).padStart(8, '0'))
    .join('')
  return bits !== undefined && /^1+0*$/.test(bits)
}

const isHost = (text: string): boolean =>
  /^[\d.]+$/.test(text)
    ? octets(text) !== undefined
    : /^(?=.{1,253}$)[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?(\.[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?)*$/.test(text) ||
      /^(?=.*:.*:)[0-9A-Fa-f:]{2,39}$/.test(text)

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
/** Last character of an 18-digit ID card for its first 17 (GB 11643-1999, ISO 7064 MOD 11-2). */
export const idCheck = (first17: string): string => '10X98765432'[weights.reduce((sum, w, i) => sum + w * Number(first17[i]), 0) % 11]!

/** Mainland mobile, landline with its area code, or a number with its country code (E.164: 7 to 15 digits). */
const isContact = (text: string): boolean =>
  /^1[3-9]\d{9}$/.test(text) || /^\d{3,4}-\d{7,8}$/.test(text) || /^(\+|00)[1-9]\d{6,14}$/.test(text.replace(/(?<=\d)[ -](?=\d)/g, ''))

const texts = {
  phone: (t) => /^[0-9A-Za-z+() -]{1,40}$/.test(t),
  contact: isContact,
  ipv4: (t) => octets(t) !== undefined,
  /** A router is never the machine itself, so loopback is refused too. */
  gateway: (t) => isUnicast(t) && !t.startsWith('127.'),
  dns: isUnicast,
  subnet: isMask,
  /** IPv4, IPv6 or a name (RFC 1123, 2.1); digits and dots alone must be an address. */
  host: isHost,
  url: (t) => /^https?:\/\//.test(t) && URL.canParse(t),
  idcard: (t) => /^\d{15}$/.test(t) || (/^\d{17}[\dXx]$/.test(t) && idCheck(t) === t[17]!.toUpperCase()),
  alnum: (t) => /^\w+$/.test(t),
  'must-chinese': (t) => /\p{Script=Han}/u.test(t),
  'non-chinese': (t) => !/\p{Script=Han}/u.test(t),
  /** The specification's "8-digit password" is a PIN of devices, not of accounts (ruling 17). */
  'device-pin': (t) => /^\d{8}$/.test(t),
  cron: (t) => cronFault(t) === undefined,
  'no-space': (t) => /^[\p{L}\p{M}\p{N}_]+$/u.test(t),
} as const satisfies Record<string, (text: string) => boolean>

export type Validator = Range | keyof typeof texts
export const validators = [...Object.keys(ranges), ...Object.keys(texts)] as Validator[]
const isRange = (name: Validator): name is Range => name in ranges

/** Whether a value passes: a number, or the text typed for one. Never throws. */
export const passes = (name: Validator, value: unknown): boolean => {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const text = String(value)
  if (!isRange(name)) return texts[name](text)
  const [least, most] = ranges[name]
  return /^(0|-?[1-9]\d*)$/.test(text) && Number(text) >= least && Number(text) <= most
}

/** Key of the words and what fills them. */
export type Message = { key: string; values: Record<string, number> }
const message = (name: Validator, suffix = ''): Message => ({
  key: `validator.${name}${suffix}`,
  values: isRange(name) ? { min: ranges[name][0], max: ranges[name][1] } : {},
})

/** Error text of an invalid value. Empty values are checked by `required`. */
export const violation = (name: Validator, value: unknown): Message | undefined =>
  value === null || value === undefined || value === '' || passes(name, value)
    ? undefined
    : (name === 'cron' && cronFault(String(value))) || message(name)

/** Error text of a missing required value, for validators with texts of their own. */
export const missing = (name: Validator | undefined): Message | undefined => (name === 'contact' ? message(name, '.missing') : undefined)

/** Options of a number field in a range, so that documentation and check cannot differ. */
export const whole = <const R extends Range>(name: R) => ({
  integer: true as const,
  min: ranges[name][0] as (typeof ranges)[R][0],
  max: ranges[name][1] as (typeof ranges)[R][1],
  validator: name,
})
