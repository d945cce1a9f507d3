import './knowledge.css'
import { useWords } from '../../../../console/words/words.ts'
import { RichText } from '../../../system/notices/console/index.ts'

type Texts = { Phenomenon: string | null; Reason: string | null; Solution: string | null }
/** Content of an article. */
export const Article = ({ of: { Phenomenon, Reason, Solution } }: { of: Texts }) => {
  const t = useWords()
  return (
    <div className="article">
      {Phenomenon && (
        <section>
          <h3>{t('mtnKnowledgeBase.Phenomenon')}</h3>
          <p>{Phenomenon}</p>
        </section>
      )}
      {Reason && (
        <section>
          <h3>{t('mtnKnowledgeBase.Reason')}</h3>
          <p>{Reason}</p>
        </section>
      )}
      {Solution && (
        <section>
          <h3>{t('mtnKnowledgeBase.Solution')}</h3>
          <RichText html={Solution} />
        </section>
      )}
      {!Phenomenon && !Reason && !Solution && <p className="soft">{t('article.nothing')}</p>}
    </div>
  )
}
