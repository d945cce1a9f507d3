import { none, numberText } from './formats.ts'

/** What a Bool is called at 0 and at 1. Empty or null: Off and On in the reader's language. */
export type StateTexts = Partial<{ ZeroText: string | null; OneText: string | null }>

/** ParaDataType of a Bool (ruling 29). */
export const boolType = 0

/** A state as people read it. `number` writes what is no state, such as an average of several. */
export const stateText = (
  value: number,
  { ZeroText, OneText }: StateTexts,
  say: (key: string) => string,
  number: (value: number) => string = String,
): string => {
  if (value !== 0 && value !== 1) return number(value)
  return (value ? OneText : ZeroText) || say(`point.state.${value}`)
}

export const isBool = ({ ParaDataTypeName }: { ParaDataTypeName: string }) => /bool/i.test(ParaDataTypeName)

/** A value as people read it, without its unit: the text of a state, or a number with the decimals of its point. */
export const valueTextIn = (
  value: number | null | undefined,
  point: StateTexts & { ParaDataTypeName: string; DecimalDigits: number },
  say: (key: string) => string,
  locale: () => string,
): string => {
  if (!isBool(point)) return numberText(value, point.DecimalDigits, locale())
  return value === null || value === undefined ? none : stateText(value, point, say, (part) => numberText(part, 2, locale()))
}
