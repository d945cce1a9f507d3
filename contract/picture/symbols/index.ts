import type { Category, PictureSymbol } from '../symbol.ts'

type Module = { symbols: readonly PictureSymbol[] }
/** Symbols by category. A picture loads those that it uses. */
export const categoryOf: Partial<Record<Category, () => Promise<Module>>> = {
  vessel: () => import('./vessel.ts'),
  pump: () => import('./pump.ts'),
  valve: () => import('./valve.ts'),
}

const loaded = new Map<string, PictureSymbol>()

/** Loads the symbols with these ids. Ids that do not exist are left out. */
export const loadSymbols = async (ids: Iterable<string>): Promise<ReadonlyMap<string, PictureSymbol>> => {
  const wanted = new Set([...ids].map((id) => id.split('.')[0] as Category))
  const modules = await Promise.all([...wanted].map((category) => categoryOf[category]?.()))
  for (const module of modules) for (const one of module?.symbols ?? []) loaded.set(one.id, one)
  return loaded
}
