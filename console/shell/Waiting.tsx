import { useWords } from '../words/words.ts'

/** Placeholder of a loading screen. A CSS delay hides it during short loads. */
export const Waiting = () => {
  const t = useWords()
  return (
    <div className="waiting" role="status">
      <span>{t('loading')}</span>
    </div>
  )
}
