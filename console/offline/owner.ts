import { useSession } from '../session/session.ts'

/** Whose things are read and written: `tenant/person` of whoever is signed in. */
export const ownerNow = (): string | undefined => {
  const user = useSession.getState().session?.user
  return user && `${user.EnterpriseId}/${user.Id}`
}
