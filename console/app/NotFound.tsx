import { Link } from 'react-router'
import { useWords } from '../words/words.ts'

export const NotFound = () => {
  const t = useWords()
  return (
    <div className="empty">
      <h1>{t('notFound.title')}</h1>
      <p>{t('notFound.text')}</p>
      <Link to="/">{t('notFound.home')}</Link>
    </div>
  )
}
