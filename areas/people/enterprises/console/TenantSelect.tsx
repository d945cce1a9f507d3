import { Link, useSearchParams } from 'react-router'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useUser } from '../../../../console/session/session.ts'
import { useCompanies } from '../../../../console/session/useTenant.ts'
import { useWords } from '../../../../console/words/words.ts'
import { enterprise } from '../contract.ts'

/** Lets platform administrators choose among several companies. Asks for a name if there is none. */
export const TenantSelect = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const companies = useCompanies()
  const isPlatform = useUser()?.IsPlatform === 1
  if (isPlatform && !companies.length) return <Link to="/systemManagement/enterpriseManage">{t('tenant.nameFirst')}</Link>
  if (companies.length < 2) return null
  const choose = (id: number | null) => {
    const next = new URLSearchParams(params)
    if (id) next.set('EnterpriseId', String(id))
    else next.delete('EnterpriseId')
    // Pages and organisations of one tenant do not exist in another.
    for (const name of ['page', 'after', 'BelongOrganId']) next.delete(name)
    setParams(next, { replace: true })
  }
  return (
    <RefInput
      to={enterprise}
      value={Number(params.get('EnterpriseId')) || null}
      onChange={choose}
      placeholder={t('tenant.choose')}
      aria-label={t('tenant.choose')}
      style={{ width: 220 }}
    />
  )
}
