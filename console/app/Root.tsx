import { lazy, Suspense } from 'react'
import { BrowserRouter, Navigate, Route, Routes, useLocation } from 'react-router'
import { token } from '../session/token.ts'
import '../theme/mode.ts'
import { Failed } from './Failed.tsx'
import { Waiting } from './Waiting.tsx'

const Login = lazy(() => import('../areas/session/Login.tsx'))
const Console = lazy(() => import('./Console.tsx'))

const Guarded = () => {
  const { pathname, search } = useLocation()
  if (token()) return <Console />
  const target = pathname + search
  return <Navigate replace to={target === '/' ? '/login' : `/login?redirect=${encodeURIComponent(target)}`} />
}

/** Login, or the console behind it; each is fetched when it is needed, and the login needs no component library. */
export const Root = () => (
  <BrowserRouter>
    <Failed>
      <Suspense fallback={<Waiting />}>
        <Routes>
          <Route path="/login" element={<Login />} />
          <Route path="*" element={<Guarded />} />
        </Routes>
      </Suspense>
    </Failed>
  </BrowserRouter>
)
