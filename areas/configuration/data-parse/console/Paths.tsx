import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import type { Property } from '../../../../contract/parsing/properties.ts'

type Props = { of: Property[] | undefined; isEmpty: boolean; add: ((path: string) => void) | undefined }

/** The paths of a sample. Users drag them to the inputs of a rule, or add a new rule from one. */
export const Paths = ({ of, isEmpty, add }: Props) => {
  const t = useWords()
  if (isEmpty) return null
  if (!of) return <p className="soft">{t('parse.fault.notJson')}</p>
  return (
    <>
      <h3>{t('dataParse.paths')}</h3>
      {add && <p className="soft">{t('dataParse.drag')}</p>}
      <ul className="parse-paths">
        {of.map(({ Path, Example }) => (
          <li key={Path} draggable={add !== undefined} onDragStart={(e) => e.dataTransfer.setData('text/plain', Path)}>
            <code>{Path}</code>
            <span className="soft">{Example}</span>
            {add && (
              <Button
                type="text"
                size="small"
                icon={<PlusOutlined />}
                aria-label={t('dataParse.addPath', { path: Path })}
                onClick={() => add(Path)}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
