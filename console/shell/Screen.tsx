import { useEffect } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import type { MenuEntry } from '../session/session.ts'
import { Failed } from './Failed.tsx'
import { directories, firstPage, landing, pages } from './menus.tsx'
import { Forbidden, NotFound, Unknown } from './NotFound.tsx'
import { elsewhere, redirectTarget, servedElsewhere } from './places.ts'
import { fixed, screens } from './screens.ts'
import { refresh, tabKey, useTabs } from './tabs/tabs.ts'

/** `/redirect/…` reloads the screen that the rest of the address names. */
const Redirect = () => {
  const { pathname, search } = useLocation()
  const target = redirectTarget(pathname, search)
  const [path = '/', query = ''] = target.split(/(?=\?)/)
  const key = tabKey(path, query)
  const open = useTabs((s) => s.tabs.some((tab) => tab.key === key))
  useEffect(() => {
    if (open) refresh(key)
  }, [open, key])
  return <Navigate replace to={target} />
}

const ToProjects = () => <Navigate replace to={`/projectManagement/projectConfig${useLocation().search}`} />

const Elsewhere = ({ from, screens }: { from: string; screens: readonly string[] }) => (
  <Navigate replace to={elsewhere(from, useLocation().search, screens) ?? '/404'} />
)

/** The screen of an address. Routes come from the person's menus, so a screen without permission has no route. */
export const Screen = ({ menus }: { menus: MenuEntry[] }) => {
  const seen = pages(menus)
  const paths = seen.map((m) => m.RoutingAddress)
  return (
    <Failed key={useLocation().pathname}>
      <Routes>
        {seen.map((m) => {
          const Found = screens[m.RoutingAddress.toLowerCase()] ?? screens[m.FrontComponent.toLowerCase()]
          return <Route key={m.MenuEncoding} path={m.RoutingAddress} element={Found ? <Found /> : <Unknown />} />
        })}
        {directories(menus).map((m) => {
          const to = elsewhere(m.RoutingAddress, '', paths) ?? landing(m)
          return to && <Route key={m.MenuEncoding} path={m.RoutingAddress} element={<Navigate replace to={to} />} />
        })}
        {Object.entries(fixed).map(([path, Found]) => (
          <Route key={path} path={path} element={<Found />} />
        ))}
        {Object.keys(servedElsewhere).map((path) => (
          <Route key={path} path={path} element={<Elsewhere from={path} screens={paths} />} />
        ))}
        <Route path="/redirect/*" element={<Redirect />} />
        {/* Without a home screen, the first screen of the sidebar is the start page. */}
        {!paths.includes('/') && <Route path="/" element={<Navigate replace to={firstPage(menus) ?? '/404'} />} />}
        <Route path="/projectConfig" element={<ToProjects />} />
        <Route path="/401" element={<Forbidden />} />
        <Route path="/404" element={<NotFound />} />
        <Route path="*" element={<Navigate replace to="/404" />} />
      </Routes>
    </Failed>
  )
}
