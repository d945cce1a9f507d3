import { Select } from 'antd'
import { useSearchParams } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { useUser } from '../../../../console/session/session.ts'
import { useCompanies } from '../../../../console/session/useTenant.ts'
import { useWords } from '../../../../console/words/words.ts'
import { sessionCalls } from '../../../../contract/session.ts'

/** The tenant in the URL, by default the user's own. */
export const useTenant = (): number => {
  const [params] = useSearchParams()
  const own = useUser()?.EnterpriseId ?? 0
  return Number(params.get('EnterpriseId')) || own
}

/** Selects the tenant, for users who see several. */
export const TenantPicker = () => {
  const t = useWords()
  const tenant = useTenant()
  const [, setParams] = useSearchParams()
  const { data } = useCall(sessionCalls.enterprises, { of: ['enterprise'] })
  const companies = useCompanies()
  if (!data || companies.length < 2) return null
  return (
    <Select
      aria-label={t('dictionary.tenant')}
      value={tenant}
      showSearch={{ optionFilterProp: 'label' }}
      options={data.Items.map(({ Id, Name }) => ({ value: Id, label: Name }))}
      onChange={(id) => setParams({ EnterpriseId: String(id) }, { replace: true })}
      popupMatchSelectWidth={false}
      style={{ minWidth: 180 }}
    />
  )
}
