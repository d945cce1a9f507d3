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
