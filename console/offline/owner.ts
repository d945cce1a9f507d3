import { useSession } from '../session/session.ts'
import { token } from '../session/token.ts'

/**
 * Owner of offline data: `tenant/person` of the signed-in user. Undefined if the token is not that of this tab's session, because
 * another tab has signed in another user.
 */
export const ownerNow = (): string | undefined => {
  const { session, readWith } = useSession.getState()
  return session && readWith === token() ? `${session.user.EnterpriseId}/${session.user.Id}` : undefined
}
