import { useSearchParams } from 'react-router'
import { useUser } from './session.ts'

/** The tenant that a platform administrator has chosen, in the address; lists are narrowed to it and new rows belong to it. */
export const useTenant = (): { EnterpriseId: number } | undefined => {
  const [params] = useSearchParams()
  const chosen = Number(params.get('EnterpriseId'))
  return useUser()?.IsPlatform === 1 && chosen ? { EnterpriseId: chosen } : undefined
}
