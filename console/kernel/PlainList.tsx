import type { ComponentType } from 'react'
import type { Resource } from '../../contract/resource.ts'
import { useTenant } from '../session/useTenant.ts'
import { Page } from '../shell/Page.tsx'
import { useWords } from '../words/words.ts'
import { ResourceList } from './ResourceList.tsx'

/** A page with the list of a resource and its form. Rows of a tenant follow the tenant that is chosen; others follow their owner. */
export const plainList = (r: Resource, Tenants: ComponentType) => {
  const PlainList = () => {
    const tenant = useTenant()
    const ofTenant = r.owner === 'tenant' ? { extra: <Tenants />, fixed: tenant } : {}
    return (
      <Page title={useWords()(`menu.${r.permission}`)}>
        <ResourceList of={r} columns={[...r.columns!]} {...ofTenant} />
      </Page>
    )
  }
  return PlainList
}
