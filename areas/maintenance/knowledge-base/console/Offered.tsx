import './knowledge.css'
import { DislikeOutlined, LikeOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { FileLink } from '../../../../console/files/FilesInput.tsx'
import { useCommand } from '../../../../console/kernel/api.ts'
import { useKept } from '../../../../console/offline/kept.ts'
import { useMay } from '../../../../console/session/session.ts'
import { To } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { knowledgeCalls, mtnKnowledgeBase } from '../contract.ts'
import { Article } from './Article.tsx'
import type { Asked } from './OfferedArticles.tsx'

/** Suggested articles, with the reason and a helpful vote. */
const Offered = (query: Asked) => {
  const t = useWords()
  const mayVote = useMay('m10610.vote')
  const { data } = useKept(knowledgeCalls.offer, { query, of: [mtnKnowledgeBase.name] })
  const vote = useCommand(knowledgeCalls.vote, [mtnKnowledgeBase.name])
  if (!data?.Items.length) return null
  return (
    <section aria-label={t('article.offered')}>
      <h3>{t('article.offered')}</h3>
      <ul className="offered">
        {data.Items.map((article) => (
          <li key={article.Id}>
            <details>
              <summary>
                {article.Title} <small className="soft">{t(`article.because.${article.Because}`)}</small>
              </summary>
              <Article of={article} />
              {article.Files?.map((file) => (
                <FileLink key={file.FilePath} file={file} />
              ))}
              <div className="offered-vote">
                {mayVote &&
                  ([1, 0] as const).map((Helped) => (
                    <Button
                      key={Helped}
                      size="small"
                      type={article.Voted === Helped ? 'primary' : 'default'}
                      aria-pressed={article.Voted === Helped}
                      icon={Helped ? <LikeOutlined /> : <DislikeOutlined />}
                      onClick={() => vote.mutate({ body: { Id: article.Id, Helped } })}
                    >
                      {t(Helped ? 'article.helped' : 'article.notHelped')} ({Helped ? article.Helped : article.NotHelped})
                    </Button>
                  ))}
                <To to={`/maintenanceCenter/knowledgeBase?Id=${article.Id}`}>{t('article.open')}</To>
              </div>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}
export default Offered
