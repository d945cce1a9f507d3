import type { Category, PictureSymbol } from '../symbol.ts'

type Module = { symbols: readonly PictureSymbol[] }
/** Symbols by category. A picture loads those that it uses. */
export const categoryOf: Readonly<Record<Category, () => Promise<Module>>> = {
  vessel: () => import('./vessel.ts'),
  pump: () => import('./pump.ts'),
  valve: () => import('./valve.ts'),
  drive: () => import('./drive.ts'),
  heat: () => import('./heat.ts'),
  filter: () => import('./filter.ts'),
  meter: () => import('./meter.ts'),
  instrument: () => import('./instrument.ts'),
  transport: () => import('./transport.ts'),
  electric: () => import('./electric.ts'),
  cold: () => import('./cold.ts'),
  water: () => import('./water.ts'),
  building: () => import('./building.ts'),
}

const loaded = new Map<string, PictureSymbol>()

/** Loads the categories of these ids. Ids that do not exist are left out. */
export const loadSymbols = async (ids: Iterable<string>): Promise<ReadonlyMap<string, PictureSymbol>> => {
  const wanted = new Set([...ids].map((id) => id.split('.')[0]!))
  const modules = await Promise.all(
    [...wanted].map((name) => (Object.hasOwn(categoryOf, name) ? categoryOf[name as Category]() : undefined)),
  )
  for (const module of modules) for (const one of module?.symbols ?? []) loaded.set(one.id, one)
  return loaded
}
