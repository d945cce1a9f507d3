import type { Resource } from '../../contract/resource.ts'
import { useTenant } from '../session/useTenant.ts'
import { Page } from '../shell/Page.tsx'
import { useWords } from '../words/words.ts'
import type { Values } from './form/merge.ts'
import { type PlainOptions, parts } from './plainScreens.ts'
import { ResourceList } from './ResourceList.tsx'

/** References of a tenant's record point to records of the same tenant. */
const ofTenant = (r: Resource, tenant: number | undefined) => ({
  where: Object.fromEntries(Object.entries(r.fields).flatMap(([name, f]) => (f.kind === 'ref' ? [[name, { EnterpriseId: tenant }]] : []))),
})

/** A page with the list of a resource and its form. Rows of a tenant follow the tenant that is chosen. */
export const plainList = <R extends Resource>(
  r: R,
  columns: (keyof R['fields'] & string)[],
  { ofPlatform, ...options }: PlainOptions<R>,
) => {
  const PlainList = () => {
    const chosen = useTenant()
    const tenant = ofPlatform ? undefined : chosen
    const refine = (values: Values) => ofTenant(r, tenant?.EnterpriseId ?? (values.EnterpriseId as number | undefined))
    return (
      <Page title={useWords()(`menu.${r.permission}`)}>
        <ResourceList
          of={r}
          columns={columns}
          extra={!ofPlatform && <parts.TenantSelect />}
          fixed={tenant}
          form={{ refine }}
          {...options}
        />
      </Page>
    )
  }
  return PlainList
}
