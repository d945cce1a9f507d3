import '../theme/icons.css'
import { IconProvider } from '@ant-design/icons'
import { QueryClientProvider } from '@tanstack/react-query'
import { App, ConfigProvider } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { errorSeconds, messageSeconds } from '../session/errors.ts'
import { useAntdTheme } from '../theme/antd.ts'
import { language, useWords } from '../words/words.ts'
import { useAntdWords } from './antdWords.ts'
import { onFault, queryClient } from './queries.ts'
import { appSize } from './sizes.ts'
import { Waiting } from './Waiting.tsx'

/** Shows errors as messages. A click on a message, or Escape, closes it early. */
const Faults = () => {
  const { message } = App.useApp()
  useEffect(() => onFault((text) => message.error(text, errorSeconds)), [message])
  useEffect(() => {
    const onClick = ({ target }: Event) => target instanceof Element && target.closest('.ant-message-notice') && message.destroy()
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && message.destroy()
    addEventListener('click', onClick)
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('click', onClick)
      removeEventListener('keydown', onKey)
    }
  }, [message])
  return null
}

/** Their styles are in icons.css. */
const icons = { zeroRuntime: true }
const button = { autoInsertSpace: false }
const message = { duration: messageSeconds, maxCount: 3 }

/** The providers of every screen: theme, antd's words, messages and the query cache. */
export const Providers = ({ children }: { children: ReactNode }) => {
  useWords()
  const theme = useAntdTheme()
  const locale = useAntdWords(language())
  // Rendering before the words have loaded would render everything twice.
  if (!locale) return <Waiting />
  return (
    <ConfigProvider theme={theme} locale={locale} componentSize={appSize} button={button}>
      <App message={message} component={false}>
        <QueryClientProvider client={queryClient}>
          <IconProvider value={icons}>
            <Faults />
            {children}
          </IconProvider>
        </QueryClientProvider>
      </App>
    </ConfigProvider>
  )
}
