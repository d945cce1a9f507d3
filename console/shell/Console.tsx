import '../theme/icons.css'
import '../theme/shell.css'
import '../theme/lists.css'
import '../theme/details.css'
import '../theme/live.css'
import '../theme/drawer.css'
import '../theme/phone.css'
import './tabs/tabs.css'
import './palette/palette.css'
import { IconProvider } from '@ant-design/icons'
import { QueryClientProvider } from '@tanstack/react-query'
import { App, ConfigProvider } from 'antd'
import { memo, useEffect } from 'react'
import { leaveLists } from '../keys/leaveLists.ts'
import { errorSeconds, messageSeconds } from '../session/errors.ts'
import { useAntdTheme } from '../theme/antd.ts'
import { language, useWords } from '../words/words.ts'
import { useAntdWords } from './antdWords.ts'
import { onFault, queryClient } from './queries.ts'
import { Shell } from './Shell.tsx'
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

leaveLists()

/** Their styles are in icons.css. */
const icons = { zeroRuntime: true }
const button = { autoInsertSpace: false }
const message = { duration: messageSeconds, maxCount: 3 }

/**
 * Providers of every screen: theme, antd's words, messages and the query cache. Memoised, because a new antd configuration
 * renders every component below: navigation must not cause one.
 */
const Console = memo(() => {
  useWords()
  const theme = useAntdTheme()
  const locale = useAntdWords(language())
  // To render before the words have loaded would render everything twice.
  if (!locale) return <Waiting />
  return (
    <ConfigProvider theme={theme} locale={locale} componentSize={appSize} button={button}>
      <App message={message} component={false}>
        <QueryClientProvider client={queryClient}>
          <IconProvider value={icons}>
            <Faults />
            <Shell />
          </IconProvider>
        </QueryClientProvider>
      </App>
    </ConfigProvider>
  )
})
export default Console
