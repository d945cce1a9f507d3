// A company's own symbols beside ours. Has no schemas, because viewers of pictures load this file.
import type { OwnSymbol } from './drawing.ts'
import { type Part, type PictureSymbol, type Port, symbol } from './symbol.ts'

export const ownKey = (id: number) => `own.${id}` as const
/** The Id behind a key such as `own.12`; undefined of our symbols. */
export const ownId = (key: string) => (/^own\.\d+$/.test(key) ? Number(key.slice(4)) : undefined)

const toSymbol = ({ id, name, drawing }: OwnSymbol): PictureSymbol => ({
  ...symbol(`own.${id.slice(4)}`, [drawing.width, drawing.height], drawing.parts as Part[], drawing.ports as Port[], drawing.letters),
  name,
})

/** All symbols of a scene: ours, and those that it carries. */
export const withOwn = (
  ours: ReadonlyMap<string, PictureSymbol>,
  own: readonly OwnSymbol[] | undefined,
): ReadonlyMap<string, PictureSymbol> => (own?.length ? new Map([...ours, ...own.map((one) => [one.id, toSymbol(one)] as const)]) : ours)
