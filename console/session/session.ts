import type { Static } from 'typebox'
import { create } from 'zustand'
import { type MenuItem, sessionCalls, type UserInfo } from '../../contract/areas/session.ts'
import type { Answer } from '../../contract/base/call.ts'
import { setUserZone } from '../words/formats.ts'
import { words } from '../words/words.ts'
import { Fault, invoke } from './request.ts'
import { clearToken, setToken, token } from './token.ts'

export type User = Static<typeof UserInfo>
export type MenuEntry = Omit<Static<typeof MenuItem>, 'MenuChildren'> & { MenuChildren: MenuEntry[] }

type Session = { user: User; menus: MenuEntry[]; codes: ReadonlySet<string> }
type State = { session: Session | null; systemName: string }

export const useSession = create<State>(() => ({ session: null, systemName: localStorage.getItem('penstock.system') ?? 'Penstock' }))

const codesOf = (menus: MenuEntry[]): string[] => menus.flatMap((m) => [m.MenuEncoding, ...codesOf(m.MenuChildren)])

/** Reads who is signed in and what he may see; without any menu the account is refused (specification, section 4). */
export const startSession = async () => {
  const [user, basic] = await Promise.all([invoke(sessionCalls.userInfo), invoke(sessionCalls.basicData)])
  const menus = basic.AllPageMenu as MenuEntry[]
  if (!menus.length) throw new Fault(403, words('session.noMenus'))
  setUserZone(user.TimeZoneKey)
  useSession.setState({ session: { user, menus, codes: new Set([...codesOf(menus), ...basic.AllPageBtn]) } })
}

type Credentials = { UserNO: string; Pwd: string }
const accept = ({ Token, SysName }: Answer<typeof sessionCalls.login>) => {
  if (!Token) return false
  setToken(Token)
  const systemName = SysName || 'Penstock'
  localStorage.setItem('penstock.system', systemName)
  useSession.setState({ systemName })
  return true
}

// Missing ones are sent as 1 (ruling 16).
const filled = ({ UserNO, Pwd }: Credentials) => ({ UserNO: UserNO.replace(/\s/g, '') || '1', Pwd: Pwd || '1' })

/** Signs in; false when the account is signed in elsewhere and may hold one session only (ruling 13). */
export const login = async (given: Credentials) => accept(await invoke(sessionCalls.login, { body: filled(given) }))
/** Signs in and ends the other session. */
export const loginConfirm = async (given: Credentials) => accept(await invoke(sessionCalls.loginConfirm, { body: filled(given) }))

export const forgetSession = () => {
  clearToken()
  useSession.setState({ session: null })
}

export const logout = async () => {
  if (token()) await invoke(sessionCalls.logout).catch(() => undefined)
  forgetSession()
}

/** Whether the signed-in person holds a menu or button code of the contract. */
export const useMay = (code: string) => useSession((s) => s.session?.codes.has(code) ?? false)
export const useUser = () => useSession((s) => s.session?.user)
