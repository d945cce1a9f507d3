import { Suspense } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import type { MenuEntry } from '../session/session.ts'
import { Failed } from './Failed.tsx'
import { landing, pages } from './menus.tsx'
import { NotFound } from './NotFound.tsx'
import { screens } from './screens.ts'
import { Waiting } from './Waiting.tsx'

const directories = (menus: MenuEntry[]): MenuEntry[] =>
  menus.filter((m) => m.MenuType === 0).flatMap((m) => [m, ...directories(m.MenuChildren)])

/** The screen of the address: routes come from the person's menus, so what he may not see is not there. */
export const Screen = ({ menus }: { menus: MenuEntry[] }) => {
  const { pathname } = useLocation()
  return (
    <Failed key={pathname}>
      <Suspense fallback={<Waiting />}>
        <Routes>
          {pages(menus).map((m) => {
            const Found = screens[m.RoutingAddress.toLowerCase()] ?? screens[m.FrontComponent.toLowerCase()]
            return <Route key={m.MenuEncoding} path={m.RoutingAddress} element={Found ? <Found /> : <NotFound />} />
          })}
          {directories(menus).map((m) => {
            const to = landing(m)
            return to && <Route key={m.MenuEncoding} path={m.RoutingAddress} element={<Navigate replace to={to} />} />
          })}
          <Route path="/404" element={<NotFound />} />
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </Failed>
  )
}
