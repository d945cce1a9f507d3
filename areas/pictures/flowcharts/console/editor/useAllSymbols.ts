import { useEffect, useState } from 'react'
import { categories, type PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { loadSymbols } from '../../../../../contract/picture/symbols/index.ts'

const none: ReadonlyMap<string, PictureSymbol> = new Map()
/** Every symbol there is; empty until they are loaded. */
export const useAllSymbols = () => {
  const [symbols, setSymbols] = useState(none)
  useEffect(() => {
    loadSymbols(categories.map((category) => `${category}.`)).then((all) => setSymbols(new Map(all)))
  }, [])
  return symbols
}
