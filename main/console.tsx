import '../console/theme/base.css'
import '../console/theme/login.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { readLabel } from '../areas/configuration/gateways/console/label.ts'
import { isPublic } from '../console/shell/places.ts'
import { prefetch, provideConsole } from '../console/shell/prefetch.ts'
import { startWords } from '../console/words/words.ts'
import { Login, Root } from './Root.tsx'

readLabel()
provideConsole(() => import('./SignedIn.tsx'))
// Failures are reported when the result is needed.
if (location.pathname === '/login') Login.fetch().catch(() => undefined)
else if (!isPublic(location.pathname)) prefetch(location.pathname)
// Not awaited: modules fetched in parallel import this one, and would wait for the words, too.
void startWords().then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Root />
    </StrictMode>,
  ),
)
