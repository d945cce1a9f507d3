// A message as people write and read it: a template with blanks, and what each channel takes of it. Pure, so that the console shows
// beforehand exactly what the server sends.

import { entryOf } from './prototypes.ts'

/** Blanks of a template. The first four are the specification's sample fields; the others come with alarms. */
export const blanks = ['title', 'content', 'source', 'remark', 'DeviceName', 'Value', 'Time', 'Level', 'ProjectName', 'Url'] as const
export type Blank = (typeof blanks)[number]
export type Values = Partial<Record<Blank, string>>

/** Fills `{{name}}`; a blank that nothing fills stays empty, one that is none of ours stays as it is written. */
export const fill = (text: string, values: Values): string =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    (blanks as readonly string[]).includes(name) ? (values[name as Blank] ?? '') : whole,
  )

/** Names in `{{…}}` that nothing will ever fill. */
export const strangers = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((m) => m[1]!).filter((name) => !(blanks as readonly string[]).includes(name))),
]

/** Cuts a text to a number of characters, ending with an ellipsis. */
export const cut = (text: string, most: number): string => {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}

/** What WeChat takes by the kind that a keyword's name begins with: anything longer is refused whole (error 47003). */
const wechatMost: [kind: string, most: number][] = [
  ['thing', 20],
  ['short_thing', 5],
  ['phrase', 5],
  ['character_string', 32],
  ['number', 32],
  ['symbol', 5],
  ['letter', 32],
  ['name', 10],
  ['const', 20],
]
export const wechatLimit = (keyword: string): number | undefined =>
  wechatMost.find(([kind]) => new RegExp(`^${kind}\\d*$`).test(keyword))?.[1]

/** One keyword's value as WeChat accepts it: one line, without Chinese where it may have none, cut to its length. */
export const wechatValue = (keyword: string, value: string): string => {
  const line = value.replace(/\s+/g, ' ').trim()
  const plain = /^(character_string|letter|number)/.test(keyword) ? line.replace(/[^\x20-\x7e]/g, '') : line
  const most = wechatLimit(keyword)
  return (most ? cut(plain, most) : plain) || '-'
}

/** Parts an SMS is charged as: 70 characters, or 67 each where there are more. */
export const smsParts = (text: string): number => {
  const { length } = [...text]
  return length <= 70 ? 1 : Math.ceil(length / 67)
}

/** Variables of an SMS template: keyword -> what fills it. Longer ones than 35 characters are refused by the providers. */
export const filledMap = (map: Record<string, string>, values: Values, most?: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(map).map(([keyword, text]) => {
      const whole = /\{\{/.test(text) ? fill(text, values) : (entryOf(values as Record<string, string>, text) ?? text)
      return [keyword, most ? cut(whole, most) : whole]
    }),
  )
