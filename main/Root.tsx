import { BrowserRouter, Navigate, Route, Routes, useLocation } from 'react-router'
import { loginPath } from '../console/session/session.ts'
import { token } from '../console/session/token.ts'
import '../console/theme/mode.ts'
import { Failed } from '../console/shell/Failed.tsx'
import { lazyScreen } from '../console/shell/lazyScreen.tsx'
import { isPublic } from '../console/shell/places.ts'

export const Login = lazyScreen(() => import('../areas/people/session/console/Login.tsx'))
// One after the other, since to read the rules holds the browser as long as to start all of the console's parts.
const Console = lazyScreen(async () => {
  await import('../console/theme/antdRules.ts')
  return import('./SignedIn.tsx')
})

const Public = lazyScreen(() => import('../areas/pictures/public-screens/console/PublicScreen.tsx'))
const AuthRedirect = lazyScreen(() => import('../areas/people/session/console/AuthRedirect.tsx'))
const ReportLink = lazyScreen(() => import('../areas/analysis/report-schedules/console/ReportLink.tsx'))
const ReportFault = lazyScreen(() => import('../areas/maintenance/requests/console/ReportFault.tsx'))
const Trial = lazyScreen(() => import('../areas/people/session/console/Trial.tsx'))

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
        <Route path="/report" element={<ReportFault />} />
        <Route path="/report/open" element={<ReportLink />} />
        <Route path="/Trialuser/Index" element={<Trial />} />
        <Route path="*" element={<Guarded />} />
      </Routes>
    </Failed>
  </BrowserRouter>
)
