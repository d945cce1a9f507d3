import type { Links } from './links.ts'
import type { Resource } from './resource.ts'

const registry = new Map<string, Resource>()

/** Makes resources known to the kernel by name: references, lists and sheets look them up here. */
export const register = (resources: readonly Resource[]) => {
  for (const r of resources) registry.set(r.name, r)
}
export const resourceNamed = (name: string) => registry.get(name)
export const allResources = () => [...registry.values()]

const linkTables = new Map<string, Links>()
/** Registers tables of links for forms, and for the rights to change what others depend on. */
export const registerLinks = (links: readonly Links[]) => {
  for (const l of links) linkTables.set(l.path, l)
}
export const linksFrom = (r: Resource) => [...linkTables.values()].filter(({ from }) => from.name === r.name)
