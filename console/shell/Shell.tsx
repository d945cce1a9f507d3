import { Drawer } from 'antd'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useDialogFocus } from '../keys/dialogFocus.ts'
import { useFocusReturn, useScreenFocus } from '../keys/useFocus.ts'
import { useScrollBoxes } from '../keys/useScrollBoxes.ts'
import { useHub } from '../live/useHub.ts'
import { restoreSession, startSending } from '../offline/mark.ts'
import { forgetSession, loginPath, startSession, useMustChangePassword, useSession } from '../session/session.ts'
import { token } from '../session/token.ts'
import { useThemeSet } from '../theme/themeSet.ts'
import { useThemeOf } from '../theme/useThemeOf.ts'
import { useMobile, usePhone } from '../theme/useWidth.ts'
import { useWords, words } from '../words/words.ts'
import { BottomBar } from './BottomBar.tsx'
import { LazyExportTray } from './exports/LazyExportTray.tsx'
import { Footer } from './Footer.tsx'
import { Help } from './Help.tsx'
import { LiveBar } from './LiveBar.tsx'
import { lazyScreen } from './lazyScreen.tsx'
import { Mark } from './Mark.tsx'
import { menuTitle, wayTo, withPaths } from './menus.tsx'
import { PreviewBar } from './PreviewBar.tsx'
import { usePalette, usePaletteKey } from './palette/usePalette.ts'
import { isApart, isProjectDetails, isUncached, passwordPath } from './places.ts'
import { SessionGuard } from './SessionGuard.tsx'
import { SideMenu } from './SideMenu.tsx'
import { TopBar } from './TopBar.tsx'
import { KeepAlive } from './tabs/KeepAlive.tsx'
import { TabStrip } from './tabs/TabStrip.tsx'
import { tabKey, visit } from './tabs/tabs.ts'
import { topBarParts } from './topBarParts.ts'
import { usePrefetchMenus } from './usePrefetchMenus.ts'
import { usePrefetchOnHover } from './usePrefetchOnHover.ts'
import { useSidebar } from './useSidebar.ts'
import { Waiting } from './Waiting.tsx'

const Palette = lazyScreen(() => import('./palette/Palette.tsx'), null)

/** A screen without top bar shows the tenant's logo as favicon. */
const useFavicon = (alone: boolean) => {
  const logo = useSession((s) => s.logo)
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (icon) icon.href = (alone && logo) || '/penstock.svg'
  }, [alone, logo])
}

const Started = () => {
  const t = useWords()
  const { pathname, search } = useLocation()
  const mobile = useMobile()
  const phone = usePhone()
  const [open, setOpen] = useSidebar()
  const [drawer, setDrawer] = useState(false)
  const closeDrawer = useCallback(() => setDrawer(false), [])
  const given = useSession((s) => s.session!.menus)
  const menus = useMemo(() => withPaths(given), [given])
  const user = useSession((s) => s.session!.user)
  const systemName = useSession((s) => s.systemName)
  const { BTabbar: tabs, BFooter, BFixedFooter: fixedFooter } = useThemeSet()
  const footer = Boolean(BFooter) && !phone
  const palette = usePalette((s) => s.open)
  const { AlarmWarning } = topBarParts
  const alone = isProjectDetails(pathname)
  const mustChange = useMustChangePassword()
  useHub(mustChange ? undefined : user.Id)
  useThemeOf(user.Id)
  useFavicon(alone)
  usePaletteKey()
  usePrefetchOnHover()
  usePrefetchMenus(menus)
  useEffect(startSending, [])
  useFocusReturn()
  useDialogFocus()
  useScrollBoxes()

  const way = useMemo(() => wayTo(menus, pathname), [menus, pathname])
  const here = way.at(-1)
  const title = here ? menuTitle(here, t) : pathname === '/profile/index' ? t('profile.title') : ''
  useEffect(() => {
    document.title = title ? `${title} - ${systemName}` : systemName
  }, [title, systemName])
  const known = here !== undefined || isUncached(pathname)
  useEffect(() => {
    if (known && !isApart(pathname)) visit(pathname, search)
  }, [pathname, search, known])
  const key = tabKey(pathname, search)
  useScreenFocus(key)
  const shown = useRef(key)
  useEffect(() => {
    setDrawer(false)
    // The first screen is at its top already; scrolling would force a layout.
    if (key !== shown.current) document.querySelector('.main')?.scrollTo(0, 0)
    shown.current = key
  }, [key])

  const collapsed = !mobile && !open
  const menu = <SideMenu menus={menus} way={way} collapsed={collapsed} chosen={closeDrawer} />
  return (
    <div className={`shell ${mobile ? 'shell-mobile' : collapsed ? 'shell-narrow' : ''} ${alone ? 'shell-alone' : ''}`}>
      <a className="skip" href="#main">
        {t('shell.skip')}
      </a>
      {mobile ? (
        <Drawer
          open={drawer}
          onClose={() => setDrawer(false)}
          placement="left"
          size={240}
          closable={false}
          className="side-drawer"
          styles={{ body: { padding: 0 } }}
        >
          <Mark name={systemName} />
          {menu}
        </Drawer>
      ) : (
        <nav className="side" aria-label={t('shell.navigation')}>
          <Mark name={systemName} narrow={collapsed} />
          {menu}
        </nav>
      )}
      {!alone && (
        <TopBar
          way={way}
          title={title}
          menus={menus}
          switcher={mobile && !phone && Boolean(tabs)}
          toggle={() => (mobile ? setDrawer(true) : setOpen(!open))}
          open={mobile ? drawer : open}
        />
      )}
      {!mobile && Boolean(tabs) && <TabStrip menus={menus} />}
      <main className="main" id="main" tabIndex={-1}>
        <LiveBar />
        <PreviewBar />
        {!mustChange && <LazyExportTray />}
        {mustChange && pathname !== passwordPath ? <Navigate replace to={passwordPath} /> : <KeepAlive menus={menus} />}
        {footer && !fixedFooter && <Footer />}
      </main>
      {AlarmWarning && !mustChange && <AlarmWarning />}
      {footer && Boolean(fixedFooter) && <Footer />}
      {phone && !mustChange && <BottomBar menus={menus} />}
      <Help menus={menus} />
      {palette && <Palette menus={menus} />}
      <SessionGuard />
    </div>
  )
}

/** Leaving the page aborts its calls. That is no failure: the next page continues the session. */
let leaving = false
addEventListener('pagehide', () => {
  leaving = true
})
addEventListener('pageshow', () => {
  leaving = false
})

/** Loads the session, then shows the console. Goes back to the login when that fails (specification, section 4). */
export const Shell = () => {
  const known = useSession((s) => s.session !== null)
  // The first render of the console is long. Deferred, it yields to input.
  const started = useDeferredValue(known, false) && known
  const [fault, setFault] = useState<string>()
  const { pathname, search } = useLocation()
  useEffect(() => {
    // Do not retry, nor call during sign-out: without a token the call fails.
    if (known || fault !== undefined || !token()) return
    startSession().catch(async (error: Error) => {
      if (leaving || (await restoreSession(error))) return
      forgetSession()
      setFault(error.message || words('error.any'))
    })
  }, [known, fault])
  if (started) return <Started />
  return fault ? <Navigate replace to={loginPath(pathname + search)} state={{ fault }} /> : <Waiting />
}
