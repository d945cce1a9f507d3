import { Drawer, Menu } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useHub } from '../live/useHub.ts'
import { forgetSession, startSession, useSession } from '../session/session.ts'
import { useMobile } from '../theme/useWidth.ts'
import { useWords } from '../words/words.ts'
import { Mark } from './Mark.tsx'
import { menuItems, menuTitle, wayTo } from './menus.tsx'
import { Screen } from './Screen.tsx'
import { SessionGuard } from './SessionGuard.tsx'
import { TopBar } from './TopBar.tsx'
import { useSidebar } from './useSidebar.ts'
import { Waiting } from './Waiting.tsx'

const passwordPath = '/systemManagement/personal/password'

const Started = () => {
  const t = useWords()
  const { pathname } = useLocation()
  const mobile = useMobile()
  const [open, setOpen] = useSidebar()
  const [drawer, setDrawer] = useState(false)
  const menus = useSession((s) => s.session!.menus)
  const user = useSession((s) => s.session!.user)
  const systemName = useSession((s) => s.systemName)
  useHub(user.Id)

  const way = useMemo(() => wayTo(menus, pathname), [menus, pathname])
  const here = way.at(-1)
  const title = here ? menuTitle(here, t) : ''
  useEffect(() => {
    document.title = title ? `${title} - ${systemName}` : systemName
  }, [title, systemName])
  useEffect(() => {
    setDrawer(false)
    document.querySelector('.main')?.scrollTo(0, 0)
  }, [pathname])

  // A hidden page keeps its visible neighbour's parent open, and marks nothing.
  const groups = menus.filter((m) => m.MenuChildren.length).map((m) => m.RoutingAddress)
  const [closedKeys, setClosedKeys] = useState<string[]>([])
  const openKeys = groups.filter((g) => !closedKeys.includes(g))
  const collapsed = !mobile && !open
  const menu = (
    <Menu
      theme="dark"
      mode="inline"
      inlineCollapsed={collapsed}
      inlineIndent={20}
      items={menuItems(menus, t)}
      selectedKeys={way.map((m) => m.RoutingAddress)}
      {...(collapsed ? {} : { openKeys, onOpenChange: (keys: string[]) => setClosedKeys(groups.filter((g) => !keys.includes(g))) })}
      aria-label={t('shell.navigation')}
    />
  )
  return (
    <div className={`shell ${mobile ? 'shell-mobile' : collapsed ? 'shell-narrow' : ''}`}>
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
      <TopBar way={way} toggle={() => (mobile ? setDrawer(true) : setOpen(!open))} open={mobile ? drawer : open} />
      <main className="main" id="main" tabIndex={-1}>
        {user.MustChangePwd === 1 && pathname !== passwordPath ? <Navigate replace to={passwordPath} /> : <Screen menus={menus} />}
      </main>
      <SessionGuard />
    </div>
  )
}

/** The console of somebody who is signed in: reads who it is; when that fails, back to the login (specification, section 4). */
export const Shell = () => {
  const t = useWords()
  const started = useSession((s) => s.session !== null)
  const [fault, setFault] = useState<string>()
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (started) return
    startSession().catch((error: Error) => {
      forgetSession()
      setFault(error.message || t('error.any'))
    })
  }, [started, t])
  if (started) return <Started />
  return fault ? <Navigate replace to={`/login?redirect=${encodeURIComponent(pathname + search)}`} state={{ fault }} /> : <Waiting />
}
