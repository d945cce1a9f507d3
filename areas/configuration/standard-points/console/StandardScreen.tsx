import { plainList } from '../../../../console/kernel/PlainList.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import { nameFields } from '../../../../contract/languages.ts'
import { standardPara } from '../contract.ts'

/** One list per language, which shows the names in the reader's language. */
const lists = Object.fromEntries(
  Object.entries(nameFields).map(([of, name]) => [
    of,
    plainList(standardPara, ['Code', name, 'Category', 'ParaUnitName', 'Aggregation', 'Aliases'], {
      filters: ['Category'],
      see: ['m10121'],
    }),
  ]),
)

const StandardScreen = () => {
  useWords()
  const List = lists[language()]!
  return <List />
}
export default StandardScreen
