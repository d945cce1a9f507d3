import { useCallback } from 'react'
import type { Static } from 'typebox'
import { create } from 'zustand'
import type { Answer } from '../../contract/call.ts'
import type { Field } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import type { Resource, Verb } from '../../contract/resource.ts'
import { type MenuItem, sessionCalls, type UserInfo } from '../../contract/session.ts'
import { eraseKept } from '../offline/mark.ts'
import { setUserZone } from '../words/formats.ts'
import { applyLanguage, language, rememberLanguage, words } from '../words/words.ts'
import { browserMark, keepBrowserMark } from './browser.ts'
import { forgetPreview, previewed } from './preview.ts'
import { Fault, invoke, request } from './request.ts'
import { clearToken, setToken, token } from './token.ts'

export type User = Static<typeof UserInfo>
export type MenuEntry = Omit<Static<typeof MenuItem>, 'MenuChildren'> & { MenuChildren: MenuEntry[] }

type Session = {
  user: User
  menus: MenuEntry[]
  codes: ReadonlySet<string>
  /** Tenants available to the person, first active one first. */
  enterprises: { Id: number; Name: string }[]
  /** Key of the tenant's map; empty: the base map without a key. */
  mapKey: string
}
type State = {
  session: Session | null
  /** The token with which the session was loaded. Another tab may have replaced it. */
  readWith: string | null
  systemName: string
  logo: string
  /** SIM service: keys stay on the server, so these are empty (ruling 34b). */
  accessKey: string
  appId: string
}

/** Keys of persistent browser storage; those of the specification where it defines them (section 4). */
const places = {
  system: 'penstock.system',
  logo: 'penstock.logo',
  menu: 'penstock.menu',
  zone: 'TimeZoneKey',
  link: 'penstock.enterpriseLink',
}
const keep = (place: keyof typeof places, value: string | null) =>
  value ? localStorage.setItem(places[place], value) : localStorage.removeItem(places[place])
const kept = (place: keyof typeof places) => localStorage.getItem(places[place]) ?? ''

const standardName = 'Penstock'
export const useSession = create<State>(() => ({
  session: null,
  readWith: null,
  systemName: kept('system') || standardName,
  logo: kept('logo'),
  accessKey: '',
  appId: '',
}))

export const showSystem = (name: string | null, logo: string | null) => {
  keep('system', name || standardName)
  keep('logo', logo)
  useSession.setState({ systemName: name || standardName, logo: logo ?? '' })
}

/** The tenant's link id of `/login?id=`, stored so that people return to the same login page. */
export const keepEnterpriseLink = (id: string | null) => id && keep('link', id.slice(0, 100))

/** The WeChat address for a sign-in, through this link or without one; a fault if WeChat is not configured. */
export const wechatAddress = async (link: string | null) =>
  (await invoke(sessionCalls.wxCode, { query: link ? { Slug: link.slice(0, 64) } : {} })).Url

const stateOf = (address: string) => new URL(address).searchParams.get('state') ?? ''
/** Redirects to WeChat. Only the tab that started this accepts the answer. */
export const leaveForWechat = async (link: string | null, target: string) => {
  const address = await wechatAddress(link)
  sessionStorage.setItem('penstock.wechat', JSON.stringify({ state: stateOf(address), target }))
  location.assign(address)
}
/** Target after an answer with this state; undefined if this tab did not start it. */
export const returnFromWechat = (state: string): string | undefined => {
  const asked = JSON.parse(sessionStorage.getItem('penstock.wechat') ?? '{}') as { state?: string; target?: string }
  return state && asked.state === state ? asked.target : undefined
}

/** The login address with the tenant's link id and the target. */
export const loginPath = (target = '/') => {
  const link = kept('link')
  const query = new URLSearchParams({ ...(link ? { id: link } : {}), ...(target === '/' ? {} : { redirect: target }) }).toString()
  return query ? `/login?${query}` : '/login'
}

const codesOf = (menus: MenuEntry[]): string[] => menus.flatMap((m) => [m.MenuEncoding, ...codesOf(m.MenuChildren)])

/** All tenants in one page, as the specification requires (section 9). */
export const enterprisePageSize = { start: 999_999, selector: 99_999 } as const
export const organPageSize = 9999

// Without a key the map shows its base map. Failed requests are silent (specification, section 8).
const mapKeyOf = ({ EnterpriseId, BelongOrganId }: User) =>
  invoke(sessionCalls.mapKey, { query: { EnterpriseId, ...(BelongOrganId ? { BelongOrganId } : {}) } }).then(
    ({ BaiduKey }) => BaiduKey,
    () => '',
  )

const readSession = async (of: string | null) => {
  const asked = language()
  const [user, given, enterprises] = await Promise.all([
    invoke(sessionCalls.userInfo),
    invoke(sessionCalls.basicData),
    invoke(sessionCalls.enterprises, { query: { PageIndex: 1, PageSize: enterprisePageSize.start, Status: 1 } }),
  ])
  // The person has signed out: do not restore the session.
  if (token() !== of) return
  await rememberLanguage('account', user.Language)
  // The language changed elsewhere. Refetch, because the server translates names per request.
  const basic = language() === asked ? given : await invoke(sessionCalls.basicData)
  const menus = basic.AllPageMenu as MenuEntry[]
  if (!menus.length) throw new Fault(403, words('session.noMenus'))
  setUserZone(user.TimeZoneKey)
  keep('zone', user.TimeZoneKey)
  const codes = new Set([...codesOf(menus), ...basic.AllPageBtn])
  const session = { user, menus, codes, enterprises: enterprises.Items as Session['enterprises'], mapKey: '' }
  useSession.setState({ session, readWith: of })
  // Loads data that the first screen does not need afterwards.
  void mapKeyOf(user).then((mapKey) => useSession.setState(({ session }) => (session ? { session: { ...session, mapKey } } : {})))
}

let reading: { of: string | null; done: Promise<void> } | undefined
/**
 * Loads the signed-in person and their permissions; an account without any menu is refused (specification, section 4). May be called
 * before the console has loaded: concurrent calls for the same token share one request.
 */
export const startSession = (): Promise<void> => {
  const of = token()
  if (reading?.of === of) return reading.done
  const done = readSession(of).finally(() => {
    if (reading?.done === done) reading = undefined
  })
  reading = { of, done }
  return done
}

export type Credentials = { UserNO?: string; Pwd?: string; UnionId?: string; Code?: string; State?: string }
const accept = async ({ Token, Menu, User, Logo, SysName, Browser }: Answer<typeof sessionCalls.login>) => {
  if (!Token) return false
  keepBrowserMark(Browser)
  setToken(Token)
  keep('menu', (Menu ?? []).join(','))
  showSystem(SysName, Logo)
  await rememberLanguage('account', User?.Language)
  return true
}

// Missing fields are sent as 1 (ruling 16).
export const filled = ({ UserNO, Pwd, UnionId, Code, State }: Credentials) => ({
  UserNO: UserNO?.replace(/\s/g, '') || '1',
  Pwd: Pwd || '1',
  ...(UnionId ? { UnionId } : {}),
  ...(Code ? { Code } : {}),
  ...(State ? { State } : {}),
})

/** Signs in. False if the account is signed in elsewhere and may have only one session (ruling 13). */
export const login = async (given: Credentials) =>
  accept(await invoke(sessionCalls.login, { body: { ...filled(given), Browser: browserMark() } }))
/** Signs in and ends the other session. */
export const loginConfirm = async (given: Credentials) =>
  accept(await invoke(sessionCalls.loginConfirm, { body: { ...filled(given), Browser: browserMark() } }))

const ends = new Set<() => void>()
/** Registers data to clear at the end of a session: tabs, caches. */
export const onForget = (clear: () => void) => {
  ends.add(clear)
  return () => void ends.delete(clear)
}

/** Clears token, menus and person, and with the menus the routes (specification, section 4). */
export const forgetSession = () => {
  clearToken()
  eraseKept()
  forgetPreview()
  keep('menu', null)
  void rememberLanguage('account', null).catch(() => undefined)
  useSession.setState({ session: null, readWith: null })
  for (const clear of ends) clear()
}

/** Switches to one of the person's roles, or to all: new token, new routes, no open tabs (specification, section 4). */
export const actAs = async (RoleId: number | null) => {
  const { Token } = await invoke(sessionCalls.actAs, { body: { RoleId } })
  setToken(Token)
  for (const clear of ends) clear()
  await startSession()
}

export const logout = async () => {
  if (token()) await invoke(sessionCalls.logout).catch(() => undefined)
  forgetSession()
}

/**
 * Saves the language in the account before switching, so that the next session read returns it.
 * With a one-time password only this browser stores it. A role preview does not save it.
 */
export const chooseLanguage = async (next: Language) => {
  if (previewed()) return applyLanguage(next)
  if (!useSession.getState().session?.user.MustChangePwd) {
    await request('PUT', '/System/User/Account', { Language: next })
    return rememberLanguage('account', next)
  }
  await rememberLanguage('chosen', next)
  return applyLanguage(next)
}

/** Whether the signed-in person holds a menu or button code of the contract. */
export const useMay = (code: string) => useSession((s) => s.session?.codes.has(code) ?? false)
/** The same for many codes. */
export const useMayCode = () => {
  const codes = useSession((s) => s.session?.codes)
  return useCallback((code: string) => codes?.has(code) ?? false, [codes])
}
const verbs: Record<string, Verb> = { add: 'create', edit: 'update', remove: 'remove' }
/** Whether the signed-in person may do something to records of a resource: `add`, `edit`, `remove`, or the button of an action. */
export const useMayDo = () => {
  const may = useMayCode()
  return useCallback((r: Resource, button: string) => r.wire?.[verbs[button]!]?.length !== 0 && may(`${r.permission}.${button}`), [may])
}
/** Whether the signed-in person may see a field. */
export const useSeesField = () => {
  const may = useMayCode()
  return useCallback((f: Field | undefined) => !f?.seenWith || may(f.seenWith), [may])
}
/** The company's currency. */
export const currency = () => useSession.getState().session?.user.CurrencyCode ?? 'USD'
export const useUser = () => useSession((s) => s.session?.user)
/** Signed in with a one-time password: until the person has chosen a password, the server answers few calls. */
export const useMustChangePassword = () => useSession((s) => s.session?.user.MustChangePwd === 1)
