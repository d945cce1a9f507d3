import { BrowserRouter, Navigate, Route, Routes, useLocation } from 'react-router'
import { loginPath } from '../session/session.ts'
import { token } from '../session/token.ts'
import '../theme/mode.ts'
import { Failed } from './Failed.tsx'
import { later } from './later.tsx'
import { isPublic } from './places.ts'

export const Login = later(() => import('../areas/session/Login.tsx'))
// One after the other, since to read the rules holds the browser as long as to start all of the console's parts.
const Console = later(async () => {
  await import('../theme/antdRules.ts')
  return import('./Console.tsx')
})

const Public = later(() => import('../areas/session/Public.tsx'))
const AuthRedirect = later(() => import('../areas/session/AuthRedirect.tsx'))
const Trial = later(() => import('../areas/session/Trial.tsx'))

const Guarded = () => {
  const { pathname, search } = useLocation()
  if (isPublic(pathname)) return <Public />
  return token() ? <Console /> : <Navigate replace to={loginPath(pathname + search)} />
}

/** Login, or the console behind it; each is fetched when it is needed, and the login needs no component library. */
export const Root = () => (
  <BrowserRouter useTransitions={false}>
    <Failed>
      <Routes>
        <Route path="/login" element={<Login />} />
        <Route path="/auth-redirect" element={<AuthRedirect />} />
        <Route path="/Trialuser/Index" element={<Trial />} />
        <Route path="*" element={<Guarded />} />
      </Routes>
    </Failed>
  </BrowserRouter>
)
