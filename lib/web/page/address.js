// SPDX-License-Identifier: BSD-3-Clause
// What addresses store. A table has a field for each piece of state: what it is called in the
// address, how it is read and written, and its usual value, which is left out. Addresses come from
// others, so a text that is too long or not understood counts as the usual value.

/** The longest address that is written. The server accepts requests with a head of 16 kB. */
const LONGEST = 12000;
/** The longest text of a field, unless the field says otherwise. */
const TEXT = 1000;
/** The server accepts times below this, in ns. */
export const TIME_LIMIT = 2 ** 61;
const ITEMS = 500;

/**
 * A field of a table. `label` is what the user calls it. What is `remembered` is also stored by the
 * browser: an address without it leaves the choice to the browser, so it is null at first, and a
 * link that is copied always has it. `also` is another name, which older links use.
 * @template Value
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {Value} usual
 * @property {(text: string) => Value | null} parse Returns null for what is not understood.
 * @property {(value: NonNullable<Value>, state: Record<string, unknown>) => string} format
 * @property {boolean} [remembered]
 * @property {string} [also]
 * @property {number} [longest]
 */

/**
 * One of several texts. A text that is none of them counts as the usual one.
 * @template {string} Choice
 * @param {string} name
 * @param {string} label
 * @param {readonly Choice[]} choices
 * @param {Choice} usual
 * @returns {Field<Choice>}
 */
export function choiceField(name, label, choices, usual) {
  const parse = (/** @type {string} */ text) => choices.find((each) => each === text) ?? null;
  return { name, label, usual, parse, format: String };
}

/**
 * @param {string} name
 * @param {string} label
 * @param {boolean} usual
 * @returns {Field<boolean>}
 */
export function flagField(name, label, usual) {
  const parse = (/** @type {string} */ text) => (text === "1" ? true : text === "0" ? false : null);
  return { name, label, usual, parse, format: (value) => (value ? "1" : "0") };
}

/**
 * @param {string} name
 * @param {string} label
 * @param {RegExp} [pattern] What the text must match.
 * @returns {Field<string>}
 */
export function textField(name, label, pattern = /(?:)/) {
  const parse = (/** @type {string} */ text) => (pattern.test(text) ? text : null);
  return { name, label, usual: "", parse, format: String };
}

/**
 * A number, or null if the text is none or is not within the limits.
 * @param {string} text
 * @param {number} least
 * @param {number} most
 */
export function numberOf(text, least, most) {
  const value = /^-?\d+(\.\d*)?(e\+?\d+)?$/i.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : null;
}

/**
 * A number with as many decimals.
 * @param {string} name
 * @param {string} label
 * @param {number} least
 * @param {number} most
 * @param {number} digits
 * @returns {Field<number>}
 */
export function numberField(name, label, least, most, digits = 0) {
  const parse = (/** @type {string} */ text) => {
    const value = numberOf(text, least, most);
    return digits === 0 && !Number.isInteger(value) ? null : value;
  };
  const format = (/** @type {number} */ value) => String(Number(value.toFixed(digits)));
  return { name, label, usual: least, parse, format };
}

/**
 * A time in ns, or null.
 * @param {string} name
 * @param {string} label
 * @returns {Field<number | null>}
 */
export function timeField(name, label) {
  const parse = (/** @type {string} */ text) => numberOf(text, -TIME_LIMIT, TIME_LIMIT);
  return { name, label, usual: null, parse, format: (value) => String(Math.round(value)) };
}

/**
 * The items of a list in which commas separate them. Those that `parse` does not understand are
 * left out.
 * @template Item
 * @param {string} text
 * @param {(text: string) => Item | null} parse
 * @returns {Item[]}
 */
export function itemsOf(text, parse) {
  const items = text.split(",", ITEMS).map((each) => parse(each));
  return /** @type {Item[]} */ (items.filter((item) => item !== null));
}

/**
 * @template Item
 * @param {string} name
 * @param {string} label
 * @param {(text: string) => Item | null} parse
 * @param {(item: Item) => string} [format]
 * @returns {Field<Item[]>}
 */
export function listField(name, label, parse, format = String) {
  return {
    name,
    label,
    usual: [],
    parse: (text) => itemsOf(text, parse),
    format: (items) => items.map((item) => format(item)).join(","),
    longest: 6000,
  };
}

/**
 * A text within a list, in which commas mean something else.
 * @param {string} text
 */
export function itemText(text) {
  return text.replace(/[%,*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/**
 * The reverse; null if the text is not well-formed.
 * @param {string} text
 */
export function parseItemText(text) {
  try {
    return text === "" ? null : decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * The table of a page's address, or of a part of it.
 * @template {object} State
 */
export class AddressTable {
  /** @param {{ [Name in keyof State]: Field<State[Name]> }} fields */
  constructor(fields) {
    /** @type {[key: keyof State & string, field: Field<unknown>][]} */
    this.fields = Object.entries(fields).map(([key, field]) => [
      /** @type {keyof State & string} */ (key),
      /** @type {Field<unknown>} */ (field),
    ]);
    tables.push(/** @type {AddressTable<object>} */ (/** @type {unknown} */ (this)));
  }

  /**
   * The state in an address.
   * @param {string} search
   * @returns {State}
   */
  parse(search) {
    const query = new URLSearchParams(search);
    const state = this.fields.map(([key, field]) => [key, fieldValue(field, query)]);
    return Object.fromEntries(state);
  }

  /** The names of the parameters. */
  names() {
    return this.fields.flatMap(([, { name, also }]) => (also ? [name, also] : [name]));
  }

  /**
   * Adds the parameters of a state to a query, but what has its usual value only if it is
   * remembered and the address is to be complete. Returns the labels of what was too long.
   * @param {State} state
   * @param {URLSearchParams} query
   */
  write(state, query, complete = false) {
    const tooLong = [];
    let room = LONGEST - query.toString().length;
    for (const [key, field] of this.fields) {
      const text = fieldText(field, /** @type {Record<string, unknown>} */ (state), key, complete);
      if (text === null) continue;
      const { length } = new URLSearchParams({ [field.name]: text }).toString();
      if (text.length > (field.longest ?? TEXT) || length >= room) tooLong.push(field.label);
      else {
        query.set(field.name, text);
        room -= length + 1;
      }
    }
    return tooLong;
  }
}

/**
 * All tables of the page, by which tests know what an address stores.
 * @type {AddressTable<object>[]}
 */
export const tables = [];

/**
 * @param {Field<unknown>} field
 * @param {URLSearchParams} query
 */
function fieldValue({ name, also, usual, parse, remembered, longest = TEXT }, query) {
  const text = query.get(name) ?? (also ? query.get(also) : null);
  const value = text === null || text.length > longest ? null : parse(text);
  if (value !== null) return value;
  return remembered ? null : structuredClone(usual);
}

/**
 * The text of a field; null if it is to be left out.
 * @param {Field<unknown>} field
 * @param {Record<string, unknown>} state
 * @param {string} key
 * @param {boolean} complete
 */
function fieldText({ usual, format, remembered }, state, key, complete) {
  const value = state[key];
  if (value === null || value === undefined) return null;
  const text = format(value, state);
  const isUsual = usual !== null && usual !== undefined && text === format(usual, state);
  return isUsual && !(remembered && complete) ? null : text;
}

/**
 * The query as the address has it, in which signs that need no escape are legible.
 * @param {URLSearchParams} query
 */
export function queryText(query) {
  const text = query.toString();
  const legible = text.replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%40", "@");
  return text === "" ? "" : `?${legible}`;
}
