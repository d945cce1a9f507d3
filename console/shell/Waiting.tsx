import { useWords } from '../words/words.ts'

/** Stands while a screen is being fetched; shows itself only when that takes long. */
export const Waiting = () => {
  const t = useWords()
  return (
    <div className="waiting" role="status">
      <span>{t('loading')}</span>
    </div>
  )
}
