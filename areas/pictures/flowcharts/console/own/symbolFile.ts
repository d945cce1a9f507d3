// Symbols as one file. Pure.
import type { OwnSymbol } from '../../../../../contract/picture/drawing.ts'
import type { Portable } from '../../../symbols/contract.ts'

const Format = 'penstock-symbols'
export const toFile = (symbols: readonly OwnSymbol[]) =>
  JSON.stringify({ Format, Version: 1, Symbols: symbols.map(({ name, drawing }): Portable => ({ SymbolName: name, Drawing: drawing })) })

/** Parses a file; undefined if it does not contain symbols. The server validates the drawings. */
export const fromFile = (text: string): Portable[] | undefined => {
  try {
    const file = JSON.parse(text) as { Format?: unknown; Version?: unknown; Symbols?: unknown } | null
    return file?.Format === Format && file.Version === 1 && Array.isArray(file.Symbols) && file.Symbols.length ? file.Symbols : undefined
  } catch {
    return undefined
  }
}
