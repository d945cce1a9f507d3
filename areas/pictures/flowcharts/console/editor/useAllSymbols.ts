import { useEffect, useMemo, useState } from 'react'
import type { OwnSymbol } from '../../../../../contract/picture/drawing.ts'
import { withOwn } from '../../../../../contract/picture/ownSymbol.ts'
import { categories, type PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { loadSymbols } from '../../../../../contract/picture/symbols/index.ts'

const none: ReadonlyMap<string, PictureSymbol> = new Map()
/** All symbols, with the company's own; empty until they are loaded. */
export const useAllSymbols = (own: readonly OwnSymbol[]) => {
  const [symbols, setSymbols] = useState(none)
  useEffect(() => {
    loadSymbols(categories.map((category) => `${category}.`)).then((all) => setSymbols(new Map(all)))
  }, [])
  return useMemo(() => withOwn(symbols, own), [symbols, own])
}
