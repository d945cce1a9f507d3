import './theme/base.css'
import './theme/login.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { goAhead } from './app/ahead.ts'
import { isPublic } from './app/places.ts'
import { Login, Root } from './app/Root.tsx'
import { startWords } from './words/words.ts'

// What fails is told when it is needed.
if (location.pathname === '/login') Login.fetch().catch(() => undefined)
else if (!isPublic(location.pathname)) goAhead(location.pathname)
// Not awaited here: what is fetched meanwhile is made of parts of this file, and would wait for the words too.
void startWords().then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Root />
    </StrictMode>,
  ),
)
