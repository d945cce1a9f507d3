// A page with every part of the console, against a server of its own (npm run kit).
import '../../console/theme/base.css'
import '../../console/theme/login.css'
import '../../console/theme/icons.css'
import '../../console/theme/shell.css'
import '../../console/theme/lists.css'
import '../../console/theme/details.css'
import '../../console/theme/live.css'
import '../../console/theme/drawer.css'
import '../../console/theme/phone.css'
import './kit.css'
import { IconProvider } from '@ant-design/icons'
import { QueryClientProvider } from '@tanstack/react-query'
import { App, ConfigProvider } from 'antd'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import '../../areas/index.ts'
import { loginConfirm, startSession } from '../../console/session/session.ts'
import { token } from '../../console/session/token.ts'
import { useAntdWords } from '../../console/shell/antdWords.ts'
import { queryClient } from '../../console/shell/queries.ts'
import { appSize } from '../../console/shell/sizes.ts'
import { useAntdTheme } from '../../console/theme/antd.ts'
import { applyLanguage, language, startWords, useWords } from '../../console/words/words.ts'
import type { Language } from '../../contract/languages.ts'
import { Kit } from './Kit.tsx'
import { type Seeds, seed } from './seed.ts'

declare const kitPassword: string

const icons = { zeroRuntime: true }
const button = { autoInsertSpace: false }

const Root = ({ seeds }: { seeds: Seeds }) => {
  useWords()
  const theme = useAntdTheme()
  const locale = useAntdWords(language())
  return (
    locale && (
      <ConfigProvider theme={theme} locale={locale} componentSize={appSize} button={button}>
        <App component={false}>
          <QueryClientProvider client={queryClient}>
            <IconProvider value={icons}>
              <BrowserRouter useTransitions={false}>
                <Kit seeds={seeds} />
              </BrowserRouter>
            </IconProvider>
          </QueryClientProvider>
        </App>
      </ConfigProvider>
    )
  )
}

const signIn = async () => {
  if (
    !token() ||
    !(await startSession().then(
      () => true,
      () => false,
    ))
  ) {
    await loginConfirm({ UserNO: 'admin', Pwd: kitPassword })
    await startSession()
  }
}

const address = new URL(location.href)
address.searchParams.set('longsize', '1000')
history.replaceState(null, '', address)
await startWords()
await applyLanguage((address.searchParams.get('lang') ?? 'en') as Language)
await signIn()
const seeds = await seed()
createRoot(document.getElementById('root')!).render(<Root seeds={seeds} />)
