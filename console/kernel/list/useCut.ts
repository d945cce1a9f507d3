import { App } from 'antd'
import { useWords } from '../../words/words.ts'

/** Limit of characters in a text search (specification, section 5). */
export const searchLimit = 40

export const cutText = (text: string, most = searchLimit) => [...text].slice(0, most).join('')

/** Truncates typed or pasted text, with a message. */
export const useCut = (most = searchLimit) => {
  const t = useWords()
  const { message } = App.useApp()
  return (text: string) => {
    const kept = cutText(text, most)
    if (kept !== text) message.warning({ key: 'cut', content: t('list.cut', { count: most }) })
    return kept
  }
}
