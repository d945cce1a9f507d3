import '../theme/shell.css'
import '../theme/lists.css'
import '../theme/details.css'
import '../theme/live.css'
import '../theme/drawer.css'
import '../theme/phone.css'
import './tabs/tabs.css'
import './palette/palette.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { App, ConfigProvider } from 'antd'
import { useEffect } from 'react'
import { errorSeconds, messageSeconds } from '../session/errors.ts'
import { useAntdTheme } from '../theme/antd.ts'
import { language, useWords } from '../words/words.ts'
import { useAntdWords } from './antdWords.ts'
import { onFault, queryClient } from './queries.ts'
import { Shell } from './Shell.tsx'
import { appSize } from './sizes.ts'

/** Tells what went wrong; a click on a message, or Escape, closes it before its time. */
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

/** What every screen stands in: colours, words of the components, messages, the cache of what was read. */
const Console = () => {
  useWords()
  const theme = useAntdTheme()
  const locale = useAntdWords(language())
  return (
    <ConfigProvider theme={theme} locale={locale} componentSize={appSize} button={{ autoInsertSpace: false }}>
      <App message={{ duration: messageSeconds, maxCount: 3 }} component={false}>
        <QueryClientProvider client={queryClient}>
          <Faults />
          <Shell />
        </QueryClientProvider>
      </App>
    </ConfigProvider>
  )
}
export default Console
