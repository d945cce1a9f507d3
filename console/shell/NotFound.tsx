import { Link } from 'react-router'
import { useWords } from '../words/words.ts'

const Note = ({ title, text }: { title: string; text: string }) => {
  const t = useWords()
  return (
    <div className="empty">
      <h1>{title}</h1>
      <p>{text}</p>
      <Link to="/">{t('notFound.home')}</Link>
    </div>
  )
}

export const NotFound = () => {
  const t = useWords()
  return <Note title={t('notFound.title')} text={t('notFound.text')} />
}

/** `/401`: the person lacks the permission. */
export const Forbidden = () => {
  const t = useWords()
  return <Note title={t('forbidden.title')} text={t('forbidden.text')} />
}

/** The fallback for a menu whose screen this console does not have (specification, section 4). */
export const Unknown = () => {
  const t = useWords()
  return <Note title={t('unknownView.title')} text={t('unknownView.text')} />
}
