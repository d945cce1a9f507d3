import { hasWords, type Words } from '../../../../console/words/words.ts'

/** Built-in lookup lists have names in every language; a tenant's own has only the entered one. */
export const typeName = ({ DictCode, DictName, IsSystem }: { DictCode: string; DictName: string; IsSystem?: unknown }, t: Words) =>
  IsSystem === 1 && hasWords(`dictType.${DictCode}`) ? t(`dictType.${DictCode}`) : DictName
