import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { menuList } from '../../contract/menus.ts'
import type { Resource } from '../../contract/resource.ts'
import { useSession, useUser } from './session.ts'

/** The platform is not a company; its administrators see all companies (ruling 21). */
export const platform = 1

/** The companies available to platform administrators; empty for all other people. */
export const useCompanies = () => {
  const all = useSession((s) => s.session?.enterprises)
  const isPlatform = useUser()?.IsPlatform === 1
  return useMemo(() => (isPlatform ? (all ?? []).filter(({ Id }) => Id !== platform) : []), [all, isPlatform])
}

/** The tenant that a platform administrator has chosen, from the address: it filters lists and owns new rows. */
export const useTenant = (): { EnterpriseId: number } | undefined => {
  const [params] = useSearchParams()
  const chosen = Number(params.get('EnterpriseId'))
  return useUser()?.IsPlatform === 1 && chosen ? { EnterpriseId: chosen } : undefined
}

const platformMenus = new Set(menuList().flatMap((m) => (m.platform ? [m.code] : [])))
const isOfCompany = (r: Resource) => r.fields[r.owner]?.kind !== 'ref' && !platformMenus.has(r.permission)
/** The owner of a platform administrator's new row: the chosen tenant, or else the only one. */
export const useOwner = (r: Resource): { EnterpriseId: number } | undefined => {
  const chosen = useTenant()
  const companies = useCompanies()
  if (chosen || !isOfCompany(r)) return chosen
  return companies.length === 1 ? { EnterpriseId: companies[0]!.Id } : undefined
}

/** The company of a row in a list of several companies: platform administrators see all companies until they choose one. */
export const useMixedCompany = (r: Resource, { EnterpriseId }: { EnterpriseId: number }): string | undefined => {
  const name = useSession((s) => s.session?.enterprises.find(({ Id }) => Id === EnterpriseId)?.Name)
  const [companies, chosen] = [useCompanies(), useTenant()]
  return companies.length > 1 && !chosen && isOfCompany(r) ? name : undefined
}
