import { QueryClientProvider } from '@tanstack/react-query'
import { App, ConfigProvider } from 'antd'
import { lazy, Suspense, useEffect } from 'react'
import { BrowserRouter, Navigate, Route, Routes, useLocation } from 'react-router'
import { token } from '../session/token.ts'
import { antdTheme } from '../theme/antd.ts'
import { useMode } from '../theme/mode.ts'
import { language, useWords } from '../words/words.ts'
import { useAntdWords } from './antdWords.ts'
import { Failed } from './Failed.tsx'
import { onFault, queryClient } from './queries.ts'
import { Waiting } from './Waiting.tsx'

const Login = lazy(() => import('../areas/session/Login.tsx'))
const Shell = lazy(() => import('./Shell.tsx'))

const Faults = () => {
  const { message } = App.useApp()
  useEffect(() => onFault((text) => message.error(text, 4)), [message])
  return null
}

const Guarded = () => {
  const { pathname, search } = useLocation()
  if (token()) return <Shell />
  const target = pathname + search
  return <Navigate replace to={target === '/' ? '/login' : `/login?redirect=${encodeURIComponent(target)}`} />
}

export const Root = () => {
  useWords()
  const mode = useMode((s) => s.mode)
  const locale = useAntdWords(language())
  return (
    <ConfigProvider theme={antdTheme(mode)} locale={locale} button={{ autoInsertSpace: false }}>
      <App message={{ duration: 3.5, maxCount: 3 }} component={false}>
        <QueryClientProvider client={queryClient}>
          <BrowserRouter>
            <Faults />
            <Failed>
              <Suspense fallback={<Waiting />}>
                <Routes>
                  <Route path="/login" element={<Login />} />
                  <Route path="*" element={<Guarded />} />
                </Routes>
              </Suspense>
            </Failed>
          </BrowserRouter>
        </QueryClientProvider>
      </App>
    </ConfigProvider>
  )
}
