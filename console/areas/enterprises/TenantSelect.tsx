import { useSearchParams } from 'react-router'
import { enterprise } from '../../../contract/areas/enterprises.ts'
import { RefInput } from '../../resource/RefInput.tsx'
import { useUser } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'

/** The tenant that a platform administrator has chosen, in the address; lists are narrowed to it and new rows belong to it. */
export const useTenant = (): { EnterpriseId: number } | undefined => {
  const [params] = useSearchParams()
  const chosen = Number(params.get('EnterpriseId'))
  return useUser()?.IsPlatform === 1 && chosen ? { EnterpriseId: chosen } : undefined
}

/** Chooses a tenant; only platform administrators see it. */
export const TenantSelect = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  if (useUser()?.IsPlatform !== 1) return null
  const choose = (id: number | null) => {
    const next = new URLSearchParams(params)
    if (id) next.set('EnterpriseId', String(id))
    else next.delete('EnterpriseId')
    next.delete('page')
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
