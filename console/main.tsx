import './theme/base.css'
import './theme/login.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { goAhead } from './app/ahead.ts'
import { isPublic } from './app/places.ts'
import { Root } from './app/Root.tsx'
import { startWords } from './words/words.ts'

if (!isPublic(location.pathname)) goAhead(location.pathname)
await startWords()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Root />
  </StrictMode>,
)
