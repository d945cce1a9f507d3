import type { Resource } from './resource.ts'

const registry = new Map<string, Resource>()

/** Makes resources known to the kernel by name: references, lists and sheets look them up here. */
export const register = (resources: readonly Resource[]) => {
  for (const r of resources) registry.set(r.name, r)
}
export const resourceNamed = (name: string) => registry.get(name)
export const allResources = () => [...registry.values()]
