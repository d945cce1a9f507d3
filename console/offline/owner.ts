import { useSession } from '../session/session.ts'
import { token } from '../session/token.ts'

/**
 * Whose things are read and written: `tenant/person` of whoever is signed in. Nobody while the token is not the one of this tab's session:
 * another tab has signed in somebody else.
 */
export const ownerNow = (): string | undefined => {
  const { session, readWith } = useSession.getState()
  return session && readWith === token() ? `${session.user.EnterpriseId}/${session.user.Id}` : undefined
}
