/** Accented letters in both cases and ignored characters, and their replacements. */
export const foldFrom = 'áàâäãåāăąéèêëēėęíìîïīóòôöõōøúùûüūůñńçćčšśžźżýÿÁÀÂÄÃÅĀĂĄÉÈÊËĒĖĘÍÌÎÏĪÓÒÔÖÕŌØÚÙÛÜŪŮÑŃÇĆČŠŚŽŹŻÝŸ-_ ./\\%,·:()・　'
export const foldTo = 'aaaaaaaaaeeeeeeeiiiiiooooooouuuuuunncccsszzzyyaaaaaaaaaeeeeeeeiiiiiooooooouuuuuunncccsszzzyy'

const letters = new Map([...foldFrom].map((letter, i) => [letter, foldTo[i] ?? '']))
/** Removes case, accents, hyphens and spaces. The server folds columns with the same table. */
export const fold = (text: string): string =>
  [...text.normalize('NFC')]
    .map((letter) => letters.get(letter) ?? letter)
    .join('')
    .toLowerCase()
